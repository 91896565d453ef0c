// A format of our own: volumes as plain text, for spreadsheets and small tests.
//
//     plain volume 4 3 2        columns, rows, slices
//     spacing 1 1 2.5           mm
//     center 0 0 10             mm
//     0 0.1 0.2 ...             the values, x fastest, as many lines as one likes
#pragma once

#include <backlit/io/volumes/volume_format.hpp>

/// ".plain", read and written.
backlit::VolumeFormat plain_format();
