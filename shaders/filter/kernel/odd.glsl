// Hilbert's kernel is odd: its spectrum is i times the stored values.
const bool odd_kernel = true;
