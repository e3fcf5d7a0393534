// Nested spans, cut into pieces.
#include "profile/pieces.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "unit/profile/made_window.hpp"

namespace sluice::profile {
namespace {

// Begin, end (in ms) and span of each piece.
using Cuts = std::vector<std::vector<double>>;

Cuts cuts_of(const std::vector<Piece>& pieces) {
    Cuts cuts;
    for (const Piece& piece : pieces) {
        cuts.push_back({1e3 * piece.begin, 1e3 * piece.end, static_cast<double>(piece.span)});
    }
    return cuts;
}

std::vector<Piece> pieces_of_all(const Window& window) {
    return pieces_of(window, [](const WindowSpan&) { return true; });
}

TEST(Pieces, are_of_the_innermost_span) {
    MadeWindow made;
    made.thread(SLUICE_THREAD_LOOP, "loop");
    made.span(SLUICE_SPAN_BACKWARD, 0, 0, 16);
    made.span(SLUICE_SPAN_BACKWARD, 0, 2, 8);
    made.span(SLUICE_SPAN_BACKWARD, 0, 4, 8);
    made.span(SLUICE_SPAN_BACKWARD, 0, 32, 64);
    const Cuts expected{{0, 2, 0}, {2, 4, 1}, {4, 8, 2}, {8, 16, 0}, {32, 64, 3}};
    const Cuts found = cuts_of(pieces_of_all(made.window()));
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        for (std::size_t k = 0; k < 3; ++k) {
            EXPECT_NEAR(found[i][k], expected[i][k], 1e-9) << i;
        }
    }
}

// A file may hold anything.
TEST(Pieces, never_overlap_even_if_spans_do) {
    MadeWindow made;
    made.thread(SLUICE_THREAD_LOOP, "loop");
    for (int i = 0; i < 200; ++i) {
        const int begin = (i * 37) % 101 - 20;
        made.span(SLUICE_SPAN_FORWARD, 0, begin, begin + (i * 53) % 23);
    }
    const Window window = made.raw();  // unsorted
    const std::vector<Piece> pieces = pieces_of_all(window);
    ASSERT_GT(pieces.size(), 20U);
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        EXPECT_LT(pieces[i].begin, pieces[i].end);
        EXPECT_TRUE(i == 0 || pieces[i - 1].end <= pieces[i].begin) << i;
    }
}

TEST(Pieces, are_visited_with_what_lies_between_them) {
    const std::vector<Piece> pieces{{1.0, 2.0, 0}, {2.0, 3.0, 1}, {5.0, 6.0, 2}};
    Cuts parts;
    visit_parts(pieces, 0.5, 5.5, [&](const Piece* piece, double begin, double end) {
        parts.push_back({begin, end, piece == nullptr ? -1.0 : static_cast<double>(piece->span)});
    });
    EXPECT_EQ(parts, (Cuts{{0.5, 1, -1}, {1, 2, 0}, {2, 3, 1}, {3, 5, -1}, {5, 5.5, 2}}));
    parts.clear();
    visit_parts({}, 1.0, 2.0, [&](const Piece* piece, double begin, double end) {
        parts.push_back({begin, end, piece == nullptr ? -1.0 : 0.0});
    });
    EXPECT_EQ(parts, (Cuts{{1, 2, -1}}));
}

TEST(Pieces, before_a_time) {
    const std::vector<Piece> pieces{{1.0, 2.0, 0}, {3.0, 4.0, 1}};
    EXPECT_EQ(last_before(pieces, 1.0), nullptr);
    EXPECT_EQ(last_before(pieces, 1.5), &pieces[0]);
    EXPECT_EQ(last_before(pieces, 3.0), &pieces[0]);
    EXPECT_EQ(last_before(pieces, 9.0), &pieces[1]);
}

}  // namespace
}  // namespace sluice::profile
