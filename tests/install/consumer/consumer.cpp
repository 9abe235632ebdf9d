#include <armilla/alm/alm_layout.hpp>
#include <armilla/core/build_info.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/io/write.hpp>

#include <iostream>

/// Prints what only the installed libraries can know: the number of coefficients up to l = m = 10 and of nside 4's
/// pixels.
int main() {
  std::cout << armilla::core::kVersion << ' ' << armilla::alm::AlmLayout(10, 10).size() << ' '
            << armilla::grid::make_healpix(4).npix() << ' '
            << (armilla::io::format_of_name("map.h5") == armilla::io::Format::kHdf5 ? "hdf5" : "?") << '\n';
}
