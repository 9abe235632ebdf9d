#pragma once

#include <armilla/draw/image.hpp>

#include <span>
#include <vector>

namespace armilla::draw {

/// A place in an image [pixels], measured from its top left corner; pixel (0, 0) covers 0 .. 1 in x and y.
struct Point {
  double x = 0;
  double y = 0;
};

/// Points joined by straight lines; a single point is a dot.
using Path = std::vector<Point>;

struct Pen {
  Rgb color = kBlack;
  double width = 1;    ///< [pixels]
  double opacity = 1;  ///< 0 .. 1
};

/// Draws all paths as one stroke with round ends: places covered more than once are inked once. Anti-aliased; parts
/// outside the image are left away.
void stroke(Image& image, std::span<const Path> paths, const Pen& pen);
void stroke(Image& image, const Path& path, const Pen& pen);

/// Fills a convex polygon, given in either sense. Anti-aliased.
void fill_convex(Image& image, std::span<const Point> corners, Rgb color, double opacity = 1);
void fill_rectangle(Image& image, Point corner, Point opposite, Rgb color, double opacity = 1);

/// The outline of an ellipse with half axes `rx` and `ry`, fine enough to look smooth.
Path ellipse(Point centre, double rx, double ry);

/// Cuts a path into dashes of length `on` with gaps of length `off` [pixels].
std::vector<Path> dashed(const Path& path, double on, double off);

}  // namespace armilla::draw
