// Work that one process does alone, or several ranks together.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <backlit/core/parameter.hpp>
#include <backlit/device/ranks.hpp>

namespace backlit::cli {

/// work(ranks), where mpirun or srun started several processes; work(null) where this one is alone. When a rank fails,
/// all end, and one of them says why: what all have in common as a process would, anything else with the rank and its
/// machine.
void with_ranks(const std::function<void(const std::shared_ptr<Ranks>&)>& work);

/// Throws InputError on all ranks unless all have the same method, options and outputs.
void require_alike(Ranks& ranks, const std::string& method, const Parameters& options,
                   const std::vector<std::string>& outputs);

struct Console;

/// Of a rank other than 0, which speaks for all.
void be_quiet(Console&);

}  // namespace backlit::cli
