#include "launch/exit_deadline.hpp"

#include <algorithm>
#include <utility>

#include "launch/timeouts.hpp"

namespace sluice::launch {
namespace {

constexpr std::chrono::milliseconds kMargin{400};  // for a process to exit and the launcher to notice

}  // namespace

bool ExitDeadline::begin(LostReplicaNotice notice, Clock::time_point since, Clock::time_point now) {
    if (notice_) {
        return false;
    }
    notice_ = std::move(notice);
    lost_at_ = since;
    leave_within(lost_at_ + kExitTimeout + kMargin - now, now);
    return true;
}

void ExitDeadline::begin_at_once(Clock::time_point now) {
    is_at_once_ = true;
    leave_within(Clock::duration::zero(), now);
}

void ExitDeadline::leave_within(Clock::duration time, Clock::time_point now) {
    leave_until_ = leave_until_ ? std::min(*leave_until_, now + time) : now + time;
}

void ExitDeadline::extend(Clock::time_point now) { leave_until_ = now + kShortExitTimeout; }

LostReplicaNotice ExitDeadline::notice(Clock::time_point now) const {
    LostReplicaNotice notice = *notice_;
    notice.time = std::chrono::ceil<std::chrono::milliseconds>(lost_at_ + kExitTimeout - now);
    return notice;
}

}  // namespace sluice::launch
