// 16-bit counts reach a device as they were measured, from every kind of file and through every wrapper.
#include <catch2/catch.hpp>
#include <filesystem>

#include "data/selected_views.hpp"
#include "io/stack_reader.hpp"
#include "io/stack_source.hpp"
#include "io/stack_writer.hpp"
#include "preprocess/correction.hpp"
#include "support/temporary_folder.hpp"

using namespace backlit;
