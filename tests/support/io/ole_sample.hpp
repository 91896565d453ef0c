// OLE2 files, written by libgsf.
#pragma once

#include <gsf/gsf-outfile-msole.h>
#include <gsf/gsf-output-stdio.h>
#include <gsf/gsf-utils.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <type_traits>
#include <vector>

namespace backlit::test {

/// A folder of an OLE2 file, or its root. It is written when it goes.
class OleFolder {
 public:
  OleFolder(const OleFolder&) = delete;
  OleFolder& operator=(const OleFolder&) = delete;
  ~OleFolder() { close(GSF_OUTPUT(folder_)); }

  OleFolder folder(const std::string& name) const {
    return OleFolder(GSF_OUTFILE(gsf_outfile_new_child(folder_, name.c_str(), TRUE)));
  }
  template <class T>
  void add(const std::string& name, const std::vector<std::type_identity_t<T>>& values) const {
    GsfOutput* const out = gsf_outfile_new_child(folder_, name.c_str(), FALSE);
    gsf_output_write(out, values.size() * sizeof(T), reinterpret_cast<const guint8*>(values.data()));
    close(out);
  }

 protected:
  explicit OleFolder(GsfOutfile* folder) : folder_(folder) {}
  static void close(GsfOutput* out) {
    gsf_output_close(out);
    g_object_unref(out);
  }

 private:
  GsfOutfile* folder_;
};

class OleSample : public OleFolder {
 public:
  explicit OleSample(const std::filesystem::path& path) : OleFolder(root_of(path)) {}

 private:
  static GsfOutfile* root_of(const std::filesystem::path& path) {
    gsf_init();
    GsfOutput* const file = gsf_output_stdio_new(path.c_str(), nullptr);
    GsfOutfile* const root = gsf_outfile_msole_new(file);
    g_object_unref(file);  // the root keeps it
    return root;
  }
};

}  // namespace backlit::test
