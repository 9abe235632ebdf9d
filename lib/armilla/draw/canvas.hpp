#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace armilla::draw {

/// A screen colour, sRGB with 8 bits per channel.
struct Rgb {
  std::uint8_t red = 0;
  std::uint8_t green = 0;
  std::uint8_t blue = 0;
  friend bool operator==(const Rgb&, const Rgb&) = default;
};

inline constexpr Rgb kWhite{255, 255, 255};
inline constexpr Rgb kBlack{0, 0, 0};

/// A position in a picture [pixels], from its top left corner; pixel (0, 0) covers 0 .. 1 in x and y.
struct Point {
  double x = 0;
  double y = 0;
};

/// Points connected by straight lines; a single point is a dot.
using Path = std::vector<Point>;

struct Pen {
  Rgb color = kBlack;
  double width = 1;                 ///< [pixels]
  double opacity = 1;               ///< 0 .. 1
  std::vector<double> dashes = {};  ///< lengths of dash and gap [pixels]; empty for a solid line
};

/// A raster of colours, row by row from the top.
struct Raster {
  int width = 0;
  int height = 0;
  std::vector<Rgb> pixels;  ///< [width * height]
};

enum class PictureFormat {
  kPng,  ///< a raster
  kSvg,  ///< vectors; maps are embedded rasters
  kPdf,  ///< like kSvg, on one page, with 96 pixels per inch
};

/// A picture with a white background. Lines and fills are anti-aliased; anything outside the picture is clipped.
/// paint() and finish() throw ResourceError if memory is insufficient.
class Canvas {
 public:
  Canvas() = default;
  Canvas(const Canvas&) = delete;
  Canvas& operator=(const Canvas&) = delete;
  virtual ~Canvas() = default;

  /// Draws all paths as one stroke with round ends; overlaps are drawn once.
  virtual void stroke(std::span<const Path> paths, const Pen& pen) = 0;
  void stroke(const Path& path, const Pen& pen) { stroke({&path, 1}, pen); }
  /// Fills a polygon.
  virtual void fill(const Path& corners, Rgb color, double opacity) = 0;
  /// Stretches a raster over a rectangle, with sharp edges between its pixels.
  virtual void paint(const Raster& raster, Point top_left, Point bottom_right) = 0;
  /// Restricts drawing to the inside of polygons, until unclip().
  virtual void clip(std::span<const Path> polygons) = 0;
  virtual void unclip() = 0;
  /// Draws one line of valid UTF-8, starting at the left end of its baseline and rotated counterclockwise about it.
  /// `size` is the em of the font [pixels].
  virtual void write(Point anchor, const std::string& text, double size, Rgb color, double angle_deg) = 0;
  /// Width [pixels] of the text drawn by write() at this size.
  virtual double width_of(const std::string& text, double size) = 0;
  /// Completes the picture and returns the contents of its file. Call once, at the end.
  virtual std::string finish() = 0;
};

/// An empty picture of width x height pixels. Loads the module draw/cairo, libarmilla_cairo.so, found by the RUNPATH of
/// the program or by LD_LIBRARY_PATH. Throws InputError unless both sizes are in 1 .. 32767, and ResourceError if the
/// module, Cairo or fonts are missing.
std::unique_ptr<Canvas> make_canvas(PictureFormat format, int width, int height);

}  // namespace armilla::draw
