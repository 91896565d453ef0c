// Variants that bench and study reach by name, and no other command.
#pragma once

namespace backlit {

/// Those of cpu and gl; before backends are made.
void register_studied_variants();

}  // namespace backlit
