#include "watch/screen.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <cstdlib>

#include "base/error.hpp"

// Its macros would replace words of other headers.
#define NCURSES_NOMACROS 1
#include <curses.h>

namespace sluice::watch {
namespace {

constexpr int kControlC = 3;

// Colours of the terminal itself, so that light and dark ones both work.
attr_t attributes_of(Style style) {
    const auto colour = [](short number) { return has_colors() ? static_cast<attr_t>(COLOR_PAIR(number)) : A_NORMAL; };
    switch (style) {
        case Style::title:
            return A_BOLD;
        case Style::faint:
            return A_DIM;
        case Style::good:
            return colour(1);
        case Style::bad:
            return colour(2);
        case Style::busy:
            return colour(3);
        default:
            return A_NORMAL;
    }
}

}  // namespace

Screen::Screen() {
    if (newterm(nullptr, stdout, stdin) == nullptr) {
        const char* const kind = std::getenv("TERM");
        throw Error(Exit::config, fmt::format("watch: the terminal is of the kind TERM={}, which this machine does not "
                                              "know; set TERM=xterm, or use --once",
                                              kind == nullptr ? "" : kind));
    }
    cbreak();
    noecho();
    keypad(stdscr, TRUE);
    curs_set(0);
    if (std::getenv("NO_COLOR") == nullptr && start_color() == OK) {
        use_default_colors();
        constexpr short kNone = -1;
        init_pair(1, COLOR_GREEN, kNone);
        init_pair(2, COLOR_RED, kNone);
        init_pair(3, COLOR_CYAN, kNone);
    }
}

Screen::~Screen() { endwin(); }

int Screen::columns() const { return getmaxx(stdscr); }
int Screen::lines() const { return getmaxy(stdscr); }

void Screen::show(const Frame& frame) {
    werase(stdscr);
    for (int line = 0; line < frame.height(); ++line) {
        for (const Span& span : frame.line(line)) {
            wattrset(stdscr, static_cast<int>(attributes_of(span.style)));
            mvwaddstr(stdscr, line, span.column, span.text.c_str());
        }
    }
    wattrset(stdscr, A_NORMAL);
    wrefresh(stdscr);
}

bool Screen::wait(int milliseconds) {
    pollfd input{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
    ::poll(&input, 1, milliseconds);
    if ((input.revents & (POLLHUP | POLLERR | POLLNVAL)) != 0) {
        return false;  // the terminal was closed
    }
    wtimeout(stdscr, 0);
    const int key = wgetch(stdscr);  // also takes over a new size of the terminal
    return key != 'q' && key != 'Q' && key != kControlC;
}

}  // namespace sluice::watch
