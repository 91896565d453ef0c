// Hilbert's kernel changes sign on the other side of the middle: its spectrum is i times what is stored.
const bool odd_kernel = true;
