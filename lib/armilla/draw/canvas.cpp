#include <armilla/core/error.hpp>
#include <armilla/draw/cairo/cairo_canvas.hpp>
#include <armilla/draw/canvas.hpp>

#include <dlfcn.h>
#include <fmt/format.h>

namespace armilla::draw {
namespace {

constexpr int kMaxSide = 32767;

/// Finds the module by the RUNPATH of the program. It stays loaded.
MakeCairoCanvas* load_module() {
  void* module = ::dlopen(kCairoModule, RTLD_NOW | RTLD_LOCAL);
  if (module == nullptr)
    throw core::ResourceError(
        fmt::format("pictures cannot be drawn: {}; install Cairo (Debian: apt-get install libcairo2 "
                    "fonts-dejavu-core), and keep {} in the folder where Armilla installed it",
                    ::dlerror(), kCairoModule));
  void* make = ::dlsym(module, kMakeCairoCanvas);
  if (make == nullptr)
    throw core::ResourceError(fmt::format("pictures cannot be drawn: {}; reinstall Armilla", ::dlerror()));
  return reinterpret_cast<MakeCairoCanvas*>(make);
}

}  // namespace

std::unique_ptr<Canvas> make_canvas(PictureFormat format, int width, int height) {
  if (width < 1 || height < 1 || width > kMaxSide || height > kMaxSide)
    throw core::InputError(fmt::format(
        "a picture of {} x {} pixels cannot be drawn: width and height must be in 1 .. {}", width, height, kMaxSide));
  return std::unique_ptr<Canvas>(load_module()(format, width, height));
}

}  // namespace armilla::draw
