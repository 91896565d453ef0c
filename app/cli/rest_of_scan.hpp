// Scan files made from others: what is not changed stays.
#pragma once

#include <string>
#include <vector>

#include <backlit/io/scans/scan_file.hpp>

namespace backlit::cli {

/// Throws InputError where `output` is to lie in another folder than the .scan.toml that it is made from: paths in it
/// are relative to its folder.
void require_folder_of(const ScanFile&, const std::string& output);

/// The tables of a .scan.toml without those that are `replaced`. Of a scan in another format: [data] that names it.
std::string rest_of_scan(const ScanFile&, const std::string& output, const std::vector<std::string>& replaced);

/// Writes a .scan.toml of the same data with other corrections; all else stays. Files that corrections name are named
/// from its folder. Throws InputError as require_folder_of() does.
void save_with_corrections(const ScanFile&, CorrectionOptions, const std::string& output);

}  // namespace backlit::cli
