#include "blur/line_kernel.hpp"

#include <array>
#include <cmath>
#include <numbers>

namespace sluice::transforms {
namespace {

constexpr double kSmallestShare = 1e-6;  // smaller shares are rounding errors: the sine of 180 degrees is not exactly 0

struct Point {
    double x = 0.0;
    double y = 0.0;
};

// A convex polygon. A rectangle cut by four lines has at most 8 corners.
struct Polygon {
    std::array<Point, 8> corners;
    std::size_t count = 0;
    void add(Point point) { corners.at(count++) = point; }
};

// The part of `polygon` where a*x + b*y <= c (Sutherland and Hodgman 1974).
Polygon cut(const Polygon& polygon, double a, double b, double c) {
    Polygon kept;
    for (std::size_t i = 0; i < polygon.count; ++i) {
        const Point from = polygon.corners[i];
        const Point to = polygon.corners[(i + 1) % polygon.count];
        const double over_from = a * from.x + b * from.y - c;
        const double over_to = a * to.x + b * to.y - c;
        if (over_from <= 0.0) {
            kept.add(from);
        }
        if ((over_from < 0.0 && over_to > 0.0) || (over_from > 0.0 && over_to < 0.0)) {
            const double t = over_from / (over_from - over_to);
            kept.add({from.x + t * (to.x - from.x), from.y + t * (to.y - from.y)});
        }
    }
    return kept;
}

double area_of(const Polygon& polygon) {
    double twice = 0.0;
    for (std::size_t i = 0; i < polygon.count; ++i) {
        const Point from = polygon.corners[i];
        const Point to = polygon.corners[(i + 1) % polygon.count];
        twice += from.x * to.y - to.x * from.y;
    }
    return std::abs(twice) / 2.0;
}

// The common area of `polygon` and the pixel with centre (x, y).
double share_of_pixel(const Polygon& polygon, double x, double y) {
    const Polygon left = cut(polygon, 1.0, 0.0, x + 0.5);
    const Polygon band = cut(left, -1.0, 0.0, 0.5 - x);
    const Polygon top = cut(band, 0.0, 1.0, y + 0.5);
    return area_of(cut(top, 0.0, -1.0, 0.5 - y));
}

}  // namespace

std::vector<Tap> line_kernel(double length, double degrees) {
    const double radians = degrees * std::numbers::pi / 180.0;
    const Point along{std::cos(radians) * length / 2.0, -std::sin(radians) * length / 2.0};
    const Point aside{std::sin(radians) / 2.0, std::cos(radians) / 2.0};
    Polygon rectangle;
    rectangle.add({along.x + aside.x, along.y + aside.y});
    rectangle.add({along.x - aside.x, along.y - aside.y});
    rectangle.add({-along.x - aside.x, -along.y - aside.y});
    rectangle.add({-along.x + aside.x, -along.y + aside.y});

    const int reach_x = static_cast<int>(std::abs(along.x) + std::abs(aside.x) + 0.5);
    const int reach_y = static_cast<int>(std::abs(along.y) + std::abs(aside.y) + 0.5);
    std::vector<Tap> taps;
    double sum = 0.0;
    for (int y = -reach_y; y <= reach_y; ++y) {
        for (int x = -reach_x; x <= reach_x; ++x) {
            const double share = share_of_pixel(rectangle, x, y);
            if (share > kSmallestShare) {
                taps.push_back({y, x, static_cast<float>(share)});
                sum += share;
            }
        }
    }
    for (Tap& tap : taps) {
        tap.weight = static_cast<float>(tap.weight / sum);
    }
    return taps;
}

}  // namespace sluice::transforms
