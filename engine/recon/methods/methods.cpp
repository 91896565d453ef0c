#include "recon/methods/methods.hpp"

namespace backlit {

std::deque<MethodInfo>& all_methods() {
  static std::deque<MethodInfo> all{
      fdk_method(),            //
      iterative_fdk_method(),  //
      sirt_method(),           //
      sart_method(),           //
      sart_in_place_method(),  //
      ossart_method(),         //
      fista_method(),          //
      cgls_method(),           //
      pcg_method(),            //
      pwls_method(),           //
      tv_method(),             //
      pdhg_method(),           //
      asdpocs_method(),        //
      mlem_method(),           //
      osem_method(),           //
      helical_fdk_method(),    //
  };
  return all;
}

}  // namespace backlit
