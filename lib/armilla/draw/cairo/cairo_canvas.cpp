#include <armilla/core/error.hpp>
#include <armilla/core/types.hpp>
#include <armilla/draw/cairo/cairo_canvas.hpp>
#include <armilla/draw/cairo/png_file.hpp>

#include <exception>

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cairo.h>

namespace armilla::draw {
namespace {

constexpr double kPointsPerPixel = 0.75;  // 96 pixels and 72 points per inch
constexpr const char* kFont = "DejaVu Sans";

struct Release {
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
  void operator()(cairo_t* context) const { cairo_destroy(context); }
  void operator()(cairo_font_options_t* options) const { cairo_font_options_destroy(options); }
};
template <class T>
using Handle = std::unique_ptr<T, Release>;

void check(cairo_status_t status) {
  if (status != CAIRO_STATUS_SUCCESS)
    throw core::ResourceError(std::string("the picture cannot be drawn: Cairo reports '") +
                              cairo_status_to_string(status) + "'; make it smaller, or free memory");
}

/// Appends file contents from Cairo to `content`, a std::string.
cairo_status_t append(void* content, const unsigned char* bytes, unsigned int count) {
  try {
    static_cast<std::string*>(content)->append(reinterpret_cast<const char*>(bytes), count);
    return CAIRO_STATUS_SUCCESS;
  } catch (const std::exception&) {
    return CAIRO_STATUS_NO_MEMORY;
  }
}

class CairoCanvas final : public Canvas {
 public:
  CairoCanvas(PictureFormat format, int width, int height)
      : format_(format), surface_(make_surface(width, height)), context_(cairo_create(surface_.get())) {
    cairo_t* cairo = context_.get();
    if (format == PictureFormat::kPdf) cairo_scale(cairo, kPointsPerPixel, kPointsPerPixel);
    cairo_set_source_rgb(cairo, 1, 1, 1);
    cairo_paint(cairo);
    cairo_set_line_cap(cairo, CAIRO_LINE_CAP_ROUND);
    cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND);
    // Text has the same layout in all formats and at all sizes.
    const Handle<cairo_font_options_t> options(cairo_font_options_create());
    cairo_font_options_set_antialias(options.get(), CAIRO_ANTIALIAS_GRAY);
    cairo_font_options_set_hint_style(options.get(), CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options.get(), CAIRO_HINT_METRICS_OFF);
    cairo_set_font_options(cairo, options.get());
    cairo_select_font_face(cairo, kFont, CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    cairo_scaled_font_t* font = cairo_get_scaled_font(cairo);
    check(cairo_status(cairo));
    // Cairo's built-in fallback font, which has ASCII only.
    if (cairo_scaled_font_get_type(font) == CAIRO_FONT_TYPE_USER)
      throw core::ResourceError(
          "pictures cannot be labelled: no font is installed; install one (Debian: apt-get install "
          "fonts-dejavu-core)");
  }

  void stroke(std::span<const Path> paths, const Pen& pen) override {
    trace(paths);
    cairo_set_line_width(context_.get(), pen.width);
    cairo_set_dash(context_.get(), pen.dashes.data(), static_cast<int>(pen.dashes.size()), 0);
    set_color(pen.color, pen.opacity);
    cairo_stroke(context_.get());
  }

  void fill(const Path& corners, Rgb color, double opacity) override {
    trace({&corners, 1});
    set_color(color, opacity);
    cairo_fill(context_.get());
  }

  void paint(const Raster& raster, Point top_left, Point bottom_right) override {
    const Handle<cairo_surface_t> image(cairo_image_surface_create(CAIRO_FORMAT_RGB24, raster.width, raster.height));
    check(cairo_surface_status(image.get()));
    unsigned char* row = cairo_image_surface_get_data(image.get());
    const Rgb* color = raster.pixels.data();
    for (int y = 0; y < raster.height; ++y, row += cairo_image_surface_get_stride(image.get()))
      for (int x = 0; x < raster.width; ++x, ++color)
        reinterpret_cast<std::uint32_t*>(row)[x] =
            static_cast<std::uint32_t>(color->red << 16 | color->green << 8 | color->blue);
    cairo_surface_mark_dirty(image.get());
    cairo_t* cairo = context_.get();
    cairo_save(cairo);
    cairo_translate(cairo, top_left.x, top_left.y);
    cairo_scale(cairo, (bottom_right.x - top_left.x) / raster.width, (bottom_right.y - top_left.y) / raster.height);
    cairo_set_source_surface(cairo, image.get(), 0, 0);
    cairo_pattern_set_filter(cairo_get_source(cairo), CAIRO_FILTER_NEAREST);
    cairo_rectangle(cairo, 0, 0, raster.width, raster.height);
    cairo_fill(cairo);
    cairo_restore(cairo);
  }

  void clip(std::span<const Path> polygons) override {
    trace(polygons);
    cairo_clip(context_.get());
  }

  void unclip() override { cairo_reset_clip(context_.get()); }

  void write(Point anchor, const std::string& text, double size, Rgb color, double angle_deg) override {
    cairo_t* cairo = context_.get();
    cairo_save(cairo);
    cairo_translate(cairo, anchor.x, anchor.y);
    cairo_rotate(cairo, -angle_deg * core::kPi / 180);
    cairo_move_to(cairo, 0, 0);
    set_color(color, 1);
    cairo_set_font_size(cairo, size);
    cairo_show_text(cairo, text.c_str());
    cairo_restore(cairo);
    cairo_new_path(cairo);
  }

  double width_of(const std::string& text, double size) override {
    cairo_text_extents_t extents{};
    cairo_set_font_size(context_.get(), size);
    cairo_text_extents(context_.get(), text.c_str(), &extents);
    return extents.x_advance;
  }

  std::string finish() override {
    check(cairo_status(context_.get()));
    if (format_ == PictureFormat::kPng)
      content_ = png_file(pixels());
    else
      cairo_surface_finish(surface_.get());
    check(cairo_surface_status(surface_.get()));
    return std::move(content_);
  }

 private:
  cairo_surface_t* make_surface(int width, int height) {
    if (format_ == PictureFormat::kPng) return cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
    if (format_ == PictureFormat::kPdf)
      return cairo_pdf_surface_create_for_stream(append, &content_, width * kPointsPerPixel, height * kPointsPerPixel);
    cairo_surface_t* surface = cairo_svg_surface_create_for_stream(append, &content_, width, height);
    cairo_svg_surface_set_document_unit(surface, CAIRO_SVG_UNIT_PX);
    return surface;
  }

  /// Pixels of a raster picture.
  Raster pixels() const {
    cairo_surface_flush(surface_.get());
    Raster raster{cairo_image_surface_get_width(surface_.get()), cairo_image_surface_get_height(surface_.get()), {}};
    raster.pixels.reserve(static_cast<std::size_t>(raster.width) * static_cast<std::size_t>(raster.height));
    const unsigned char* row = cairo_image_surface_get_data(surface_.get());
    for (int y = 0; y < raster.height; ++y, row += cairo_image_surface_get_stride(surface_.get()))
      for (int x = 0; x < raster.width; ++x) {
        const std::uint32_t pixel = reinterpret_cast<const std::uint32_t*>(row)[x];
        raster.pixels.push_back({static_cast<std::uint8_t>(pixel >> 16), static_cast<std::uint8_t>(pixel >> 8),
                                 static_cast<std::uint8_t>(pixel)});
      }
    return raster;
  }

  void set_color(Rgb color, double opacity) {
    cairo_set_source_rgba(context_.get(), color.red / 255.0, color.green / 255.0, color.blue / 255.0, opacity);
  }

  /// Sets the current path. A path of one point becomes a line of zero length, which round line ends draw as a dot.
  void trace(std::span<const Path> paths) {
    cairo_new_path(context_.get());
    for (const Path& path : paths) {
      if (path.empty()) continue;
      cairo_move_to(context_.get(), path[0].x, path[0].y);
      for (std::size_t i = path.size() > 1 ? 1 : 0; i < path.size(); ++i)
        cairo_line_to(context_.get(), path[i].x, path[i].y);
    }
  }

  PictureFormat format_;
  std::string content_;  // contents of a vector file written so far
  Handle<cairo_surface_t> surface_;
  Handle<cairo_t> context_;
};

}  // namespace
}  // namespace armilla::draw

extern "C" __attribute__((visibility("default"))) armilla::draw::Canvas* armilla_make_cairo_canvas(
    armilla::draw::PictureFormat format, int width, int height) {
  return new armilla::draw::CairoCanvas(format, width, height);
}
