// The lines of an invocation lie far apart, so that neighbouring invocations have neighbouring lines.
const bool lie_apart = true;
