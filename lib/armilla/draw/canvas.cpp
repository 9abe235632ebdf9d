#include <armilla/core/types.hpp>
#include <armilla/draw/canvas.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace armilla::draw {
namespace {

/// Half-open range of pixels, cut to the image.
struct Box {
  int left, top, right, bottom;
  bool empty() const { return left >= right || top >= bottom; }
};

// The clamp comes first: a far point, turned into an int, would be undefined.
Box box_around(double left, double top, double right, double bottom, const Image& image) {
  const auto cut = [](double value, int limit) { return static_cast<int>(std::clamp(value, 0.0, double(limit))); };
  return {cut(std::floor(left), image.width()), cut(std::floor(top), image.height()),
          cut(std::ceil(right), image.width()), cut(std::ceil(bottom), image.height())};
}

Box bounds(std::span<const Point> points, double margin, const Image& image) {
  constexpr double kHuge = std::numeric_limits<double>::max();
  Point low{kHuge, kHuge}, high{-kHuge, -kHuge};
  for (const Point& point : points) {
    low = {std::min(low.x, point.x), std::min(low.y, point.y)};
    high = {std::max(high.x, point.x), std::max(high.y, point.y)};
  }
  if (points.empty()) return {0, 0, 0, 0};
  return box_around(low.x - margin, low.y - margin, high.x + margin, high.y + margin, image);
}

/// How much of each pixel of a box is inked, 0 .. 1. Strokes are collected by their maximum, so that joints and
/// crossings of one stroke do not darken.
class Coverage {
 public:
  explicit Coverage(const Box& box)
      : box_(box), width_(box.right - box.left), values_(static_cast<std::size_t>(width_) * (box.bottom - box.top)) {}

  void add_segment(Point a, Point b, double width, const Image& image) {
    const double reach = width / 2 + 0.5;
    const Point ends[] = {a, b};
    const Box box = bounds(ends, reach, image);
    const double dx = b.x - a.x, dy = b.y - a.y;
    const double length_squared = dx * dx + dy * dy;
    for (int y = box.top; y < box.bottom; ++y) {
      for (int x = box.left; x < box.right; ++x) {
        const double px = x + 0.5 - a.x, py = y + 0.5 - a.y;
        const double along = length_squared > 0 ? std::clamp((px * dx + py * dy) / length_squared, 0.0, 1.0) : 0.0;
        const double distance = std::hypot(px - along * dx, py - along * dy);
        if (distance >= reach) continue;
        // A line thinner than a pixel covers at most its width of one.
        const double inked = std::min({1.0, width, reach - distance});
        float& value = values_[position(x, y)];
        value = std::max(value, static_cast<float>(inked));
      }
    }
  }

  void blend_into(Image& image, Rgb color, double opacity) const {
    for (int y = box_.top; y < box_.bottom; ++y)
      for (int x = box_.left; x < box_.right; ++x)
        if (const float value = values_[position(x, y)]; value > 0) image.blend(x, y, color, value * opacity);
  }

 private:
  std::size_t position(int x, int y) const {
    return static_cast<std::size_t>(y - box_.top) * width_ + static_cast<std::size_t>(x - box_.left);
  }

  Box box_;
  std::size_t width_;
  std::vector<float> values_;
};

double signed_area(std::span<const Point> corners) {
  double area = 0;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Point &a = corners[i], &b = corners[(i + 1) % corners.size()];
    area += a.x * b.y - b.x * a.y;
  }
  return area / 2;
}

}  // namespace

void stroke(Image& image, std::span<const Path> paths, const Pen& pen) {
  Path all;
  for (const Path& path : paths) all.insert(all.end(), path.begin(), path.end());
  const Box box = bounds(all, pen.width / 2 + 0.5, image);
  if (box.empty()) return;
  Coverage coverage(box);
  for (const Path& path : paths) {
    if (path.size() == 1) coverage.add_segment(path[0], path[0], pen.width, image);
    for (std::size_t i = 1; i < path.size(); ++i) coverage.add_segment(path[i - 1], path[i], pen.width, image);
  }
  coverage.blend_into(image, pen.color, pen.opacity);
}

void stroke(Image& image, const Path& path, const Pen& pen) { stroke(image, {&path, 1}, pen); }

void fill_convex(Image& image, std::span<const Point> corners, Rgb color, double opacity) {
  const Box box = bounds(corners, 1.0, image);
  const double sense = signed_area(corners) < 0 ? -1 : 1;
  for (int y = box.top; y < box.bottom; ++y) {
    for (int x = box.left; x < box.right; ++x) {
      double inked = 1;
      for (std::size_t i = 0; i < corners.size() && inked > 0; ++i) {
        const Point &a = corners[i], &b = corners[(i + 1) % corners.size()];
        const double length = std::hypot(b.x - a.x, b.y - a.y);
        if (length == 0) continue;
        const double inside = sense * ((b.x - a.x) * (y + 0.5 - a.y) - (b.y - a.y) * (x + 0.5 - a.x)) / length;
        inked = std::min(inked, std::clamp(inside + 0.5, 0.0, 1.0));
      }
      if (inked > 0) image.blend(x, y, color, inked * opacity);
    }
  }
}

void fill_rectangle(Image& image, Point corner, Point opposite, Rgb color, double opacity) {
  const Point corners[] = {corner, {opposite.x, corner.y}, opposite, {corner.x, opposite.y}};
  fill_convex(image, corners, color, opacity);
}

Path ellipse(Point centre, double rx, double ry) {
  // Chords of about 3 pixels stray from the curve by less than 0.01 pixel where the radius exceeds 100 pixels.
  const int count = std::max(64, static_cast<int>(2 * core::kPi * std::max(rx, ry) / 3));
  Path path;
  path.reserve(static_cast<std::size_t>(count) + 1);
  for (int i = 0; i <= count; ++i) {
    const double angle = 2 * core::kPi * i / count;
    path.push_back({centre.x + rx * std::cos(angle), centre.y + ry * std::sin(angle)});
  }
  return path;
}

std::vector<Path> dashed(const Path& path, double on, double off) {
  std::vector<Path> dashes;
  if (path.empty()) return dashes;
  bool inked = true;
  double left = on;
  Path dash{path.front()};
  for (std::size_t i = 1; i < path.size(); ++i) {
    Point from = path[i - 1];
    double length = std::hypot(path[i].x - from.x, path[i].y - from.y);
    while (length > left) {
      const double share = left / length;
      from = {from.x + (path[i].x - from.x) * share, from.y + (path[i].y - from.y) * share};
      length -= left;
      if (inked) {
        dash.push_back(from);
        dashes.push_back(std::move(dash));
      }
      dash = {from};
      inked = !inked;
      left = inked ? on : off;
    }
    left -= length;
    if (inked) dash.push_back(path[i]);
  }
  if (inked) dashes.push_back(std::move(dash));
  return dashes;
}

}  // namespace armilla::draw
