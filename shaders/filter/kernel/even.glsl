// The ramp and its windows: an even kernel, with a real spectrum.
const bool odd_kernel = false;
