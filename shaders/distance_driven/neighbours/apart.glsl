// The lines of an invocation lie far apart, so that invocations beside each other have lines beside each other.
const bool lie_apart = true;
