// Values are stored as floats.
float stored(float value) { return value; }
