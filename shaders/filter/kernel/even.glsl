// The ramp and its windows: a kernel that is the same on either side, with a real spectrum.
const bool odd_kernel = false;
