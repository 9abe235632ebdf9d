#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace armilla::draw {

/// A colour of the screen, sRGB with 8 bits per channel.
struct Rgb {
  std::uint8_t red = 0;
  std::uint8_t green = 0;
  std::uint8_t blue = 0;
  friend bool operator==(const Rgb&, const Rgb&) = default;
};

inline constexpr Rgb kWhite{255, 255, 255};
inline constexpr Rgb kBlack{0, 0, 0};

/// A place in a picture [pixels], measured from its top left corner; pixel (0, 0) covers 0 .. 1 in x and y.
struct Point {
  double x = 0;
  double y = 0;
};

/// Points joined by straight lines; a single point is a dot.
using Path = std::vector<Point>;

struct Pen {
  Rgb color = kBlack;
  double width = 1;                 ///< [pixels]
  double opacity = 1;               ///< 0 .. 1
  std::vector<double> dashes = {};  ///< lengths of dash and gap [pixels]; empty for a solid line
};

/// A raster of colours, row after row from the top.
struct Raster {
  int width = 0;
  int height = 0;
  std::vector<Rgb> pixels;  ///< [width * height]
};

enum class PictureFormat {
  kPng,  ///< a raster
  kSvg,  ///< vectors; maps are rasters in it
  kPdf,  ///< as kSvg, on one page, of 96 pixels to the inch
};

/// A white picture that is drawn on. Lines and fills are anti-aliased; what lies outside the picture is left away.
/// paint() and finish() throw ResourceError where memory runs out.
class Canvas {
 public:
  Canvas() = default;
  Canvas(const Canvas&) = delete;
  Canvas& operator=(const Canvas&) = delete;
  virtual ~Canvas() = default;

  /// Draws all paths as one stroke with round ends: places covered more than once are inked once.
  virtual void stroke(std::span<const Path> paths, const Pen& pen) = 0;
  void stroke(const Path& path, const Pen& pen) { stroke({&path, 1}, pen); }
  /// Fills a polygon.
  virtual void fill(const Path& corners, Rgb color, double opacity) = 0;
  /// Stretches a raster over a rectangle, with sharp edges between its pixels.
  virtual void paint(const Raster& raster, Point top_left, Point bottom_right) = 0;
  /// Restricts what follows to the inside of polygons, until unclip().
  virtual void clip(std::span<const Path> polygons) = 0;
  virtual void unclip() = 0;
  /// Draws one line of valid UTF-8 from the left end of its base line, turned counterclockwise about that. `size` is
  /// the em of the font [pixels].
  virtual void write(Point anchor, const std::string& text, double size, Rgb color, double angle_deg) = 0;
  /// Width [pixels] of what write() draws at this size.
  virtual double width_of(const std::string& text, double size) = 0;
  /// Completes the picture and returns the bytes of its file. To be called once, at the end.
  virtual std::string finish() = 0;
};

/// An empty picture of width x height pixels. Loads the module draw/cairo, libarmilla_cairo.so, which the program finds
/// by its RUNPATH or LD_LIBRARY_PATH. Throws InputError unless both sizes are in 1 .. 32767, ResourceError where the
/// module, Cairo or fonts are missing.
std::unique_ptr<Canvas> make_canvas(PictureFormat format, int width, int height);

}  // namespace armilla::draw
