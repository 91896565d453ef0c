// An instance draws four views on quarter turns, with the rays of the first.
#include "joseph/groups.glsl"

int view_drawn(int number) { return groups[number].view.x; }
