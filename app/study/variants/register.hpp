// Variants that only bench and study can name.
#pragma once

namespace backlit {

/// Registers those of cpu and gl; call it before backends are made.
void register_studied_variants();

}  // namespace backlit
