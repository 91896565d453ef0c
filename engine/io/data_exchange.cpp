#include "io/data_exchange.hpp"

#include <fmt/format.h>
#include <hdf5.h>

#include "core/error.hpp"
#include "io/scan_data.hpp"
#include "io/scan_geometry.hpp"

namespace backlit {
namespace {

/// Which of the layout's data sets the file has.
class Exchange {
 public:
  explicit Exchange(const std::filesystem::path& path) : path_(path) {
    H5E_BEGIN_TRY file_ = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    H5E_END_TRY
    if (file_ < 0) throw InputError(path.string(), "a damaged HDF5 file: it cannot be opened");
  }
  ~Exchange() { H5Fclose(file_); }
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

  bool has(const std::string& name) const {
    htri_t found = 0;
    H5E_BEGIN_TRY if (H5Lexists(file_, "exchange", H5P_DEFAULT) > 0) found =
        H5Lexists(file_, ("exchange/" + name).c_str(), H5P_DEFAULT);
    H5E_END_TRY
    return found > 0;
  }
  std::string spec(const std::string& name) const { return fmt::format("{}:/exchange/{}", path_.string(), name); }
  void require(const std::string& name) const {
    if (!has(name))
      throw InputError(path_.string(), fmt::format("no data set exchange/{}: not a scan in Data Exchange layout", name),
                       "write a .scan.toml beside it whose [data] projections is \"file.h5:/path\"");
  }

 private:
  std::filesystem::path path_;
  hid_t file_ = -1;
};

}  // namespace

ScanFile load_data_exchange(const std::filesystem::path& path) {
  const Exchange exchange(path);
  exchange.require("data");
  exchange.require("theta");
  auto reader = open_stack(exchange.spec("data"));

  Trajectory trajectory;
  trajectory.kind = Trajectory::Kind::parallel;
  trajectory.angles_deg = read_numbers(exchange.spec("theta"));
  Detector detector;
  detector.columns = reader->info().columns;
  detector.rows = reader->info().rows;

  ScanFile file;
  file.path = path;
  file.kind = ScanFile::Kind::counts;
  file.scan = {detector, make_views(trajectory, detector)};
  file.scan.check(path.c_str());
  file.angles_deg = trajectory.angles_deg;
  file.trajectory_toml = geometry_toml(detector, trajectory);
  file.notes.push_back("the file gives no pixel size: 1 mm is assumed, so lengths are in pixels");
  const auto complain = [&](const char* name) {
    return [&, name](const std::string& problem, const std::string& remedy) {
      throw InputError(exchange.spec(name), problem, remedy);
    };
  };
  file.projections = open_projections(std::move(reader), exchange.spec("data"), file.scan, complain("data"));
  if (exchange.has("data_white"))
    file.flats = open_frames(exchange.spec("data_white"), file.scan, complain("data_white"));
  else
    file.notes.push_back("the file has no exchange/data_white: there are no flats");
  if (exchange.has("data_dark")) file.darks = open_frames(exchange.spec("data_dark"), file.scan, complain("data_dark"));
  return file;
}

}  // namespace backlit
