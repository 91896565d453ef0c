// The lines of an invocation lie beside each other and share edges.
const bool lie_apart = false;
