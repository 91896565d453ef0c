// One function a format of geometry_file.hpp; `name` is the file for errors.
#pragma once

#include <string>
#include <vector>

#include <backlit/geometry/view.hpp>

namespace backlit {

std::vector<View> read_rtk_xml(const std::string& text, const std::string& name, Detector& detector);
std::string write_rtk_xml(const Scan&, const std::string& name);

std::vector<View> read_vector_table(const std::string& text, const std::string& name, const Detector& detector,
                                    double source_to_detector);
std::string write_vector_table(const Scan&, const std::string& name);
std::string write_matrices(const Scan&);

}  // namespace backlit
