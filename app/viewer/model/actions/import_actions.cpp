#include "model/actions/action_groups.hpp"
#include "model/sources/raw_import.hpp"

namespace backlit::viewer {
namespace {

/// FILE NX NY NZ TYPE [little|big [HEADER [MM | X Y Z]]]
RawImport raw_from(const Action& a) {
  const std::size_t n = a.arguments.size();
  RawImport raw;
  raw.file = a.arguments[0];
  for (std::size_t i = 0; i < 3; ++i) raw.size[i] = integer(a, i + 1);
  raw.type = a.arguments[4];
  if (n > 5 && a.arguments[5] != "little" && a.arguments[5] != "big")
    throw InputError(a.name, "'" + a.arguments[5] + "' is no order of bytes", "little or big");
  raw.big_endian = n > 5 && a.arguments[5] == "big";
  raw.header = n > 6 ? integer(a, 6) : 0;
  if (n == 9) throw InputError(a.name, "two spacings", "give one, or three");
  raw.spacing = n > 9 ? vector(a, 7) : Vec3(n > 7 ? number(a, 7) : 1);
  return raw;
}

void import_file(Model& m, const Action& a) {
  const std::size_t n = a.arguments.size();
  if (n == 0) return require(m.hooks.ask_path, "import")(a, "");
  if (n == 1) return require(m.hooks.show_import, "import")(a.arguments[0]);
  if (n < 4) return m.open(a.arguments[0], number(a, 1), n > 2 ? number(a, 2) : 0);
  if (n < 5) throw InputError(a.name, "too few arguments", "write: import FILE NX NY NZ TYPE");
  m.open(save_raw_header(raw_from(a)));
}

}  // namespace

std::vector<ActionInfo> import_actions() {
  return {{.name = "import",
           .arguments = "FILE [MM [SLICES_MM] | NX NY NZ TYPE [little|big [HEADER [MM|X Y Z]]]]",
           .help = "Open values without a header (.raw), or TIFF images, of a size and spacing that are chosen with a "
                   "look at the picture; a header, FILE.mhd (FILE.2.mhd where that exists and differs), is written "
                   "beside raw values",
           .menu = "File",
           .title = "Import raw or TIFF ...",
           .least = 0,
           .most = 10,
           .ends_run = true,
           .run = import_file}};
}

}  // namespace backlit::viewer
