//! The strategy `example`: replicas are threads of one process. Once all have started a collective, one of the waiting
//! threads computes it for all.
mod sluice;

use sluice::*;
use std::collections::VecDeque;
use std::ops::Add;
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

type Round = Vec<Option<Collective>>; // one collective: each replica's part, once it has started it

struct Meeting {
    started: Vec<u64>,       // collectives, by replica
    taken: u64,              // collectives that a replica is computing or has computed
    done: u64,               // of these, those that are finished
    rounds: VecDeque<Round>, // collectives that some replica has started and none has taken
    reason: Option<String>,  // why it was aborted
}

struct ExampleStrategy {
    replicas: u32,
    meeting: Mutex<Meeting>,
    changed: Condvar,
}

/// The contract fixes the order of the sum: a tree over the ranks, whichever replica arrives first.
unsafe fn fold<T: Copy + Add<Output = T> + PartialOrd>(members: &[Collective], i: usize) -> T {
    if members.len() == 1 {
        return *(members[0].data as *const T).add(i);
    }
    let (left, right) = members.split_at(members.len().next_power_of_two() / 2);
    let (a, b) = (fold::<T>(left, i), fold::<T>(right, i));
    match members[0].kind {
        SLUICE_COLLECTIVE_MAX if a < b => b,
        SLUICE_COLLECTIVE_MAX => a,
        _ => a + b,
    }
}

/// # Safety
/// Each range holds `count` elements of T, and no other code uses one meanwhile.
unsafe fn exchange<T: Copy + Add<Output = T> + PartialOrd>(
    members: &[Collective],
    mean: fn(T, usize) -> T,
) {
    let count = members[0].count as usize;
    for i in 0..count {
        let mut value = match members[0].kind {
            SLUICE_COLLECTIVE_ALL_GATHER => {
                *(members[i / (count / members.len())].data as *const T).add(i)
            }
            _ => fold::<T>(members, i),
        };
        if members[0].kind == SLUICE_COLLECTIVE_MEAN {
            value = mean(value, members.len());
        }
        for member in members {
            *(member.data as *mut T).add(i) = value; // also of slices: those of others are undefined anyway
        }
    }
}

fn missing(round: &Round, seconds: f64) -> String {
    let who = round.iter().position(|member| member.is_none());
    let name = round.iter().flatten().next().map_or("", |it| it.name());
    format!(
        "replica {} did not join '{}' within {} s",
        who.unwrap_or(0),
        name,
        seconds
    )
}

impl ExampleStrategy {
    fn meeting(&self) -> MutexGuard<'_, Meeting> {
        self.meeting
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Unlocks the mutex while it computes, so that no start() has to wait.
    fn exchange_first<'a>(
        &'a self,
        mut meeting: MutexGuard<'a, Meeting>,
    ) -> Result<MutexGuard<'a, Meeting>> {
        let mut members = Vec::new();
        members.try_reserve_exact(self.replicas as usize)?;
        members.extend(meeting.rounds.pop_front().into_iter().flatten().flatten());
        meeting.taken += 1;
        drop(meeting);
        match members[0].dtype == FLOAT64 {
            true => unsafe { exchange::<f64>(&members, |sum, n| sum * (1.0 / n as f64)) },
            false => unsafe { exchange::<f32>(&members, |sum, n| sum * (1.0 / n as f32)) },
        }
        let mut meeting = self.meeting();
        meeting.done += 1;
        self.changed.notify_all();
        Ok(meeting)
    }

    fn give_up(&self, meeting: &mut Meeting, reason: String) -> Result<()> {
        self.changed.notify_all();
        fail!(
            SLUICE_REPLICA_LOST,
            "{}",
            meeting.reason.get_or_insert(reason)
        );
    }
}

impl Strategy for ExampleStrategy {
    fn new(_: Host, options: Options, _: u32) -> Result<Self> {
        let replicas = options.get("replicas")?.integer()? as u32;
        let mut started = Vec::new();
        started.try_reserve_exact(replicas as usize)?;
        started.resize(replicas as usize, 0);
        let meeting = Meeting {
            started,
            taken: 0,
            done: 0,
            rounds: VecDeque::new(),
            reason: None,
        };
        Ok(ExampleStrategy {
            replicas,
            meeting: Mutex::new(meeting),
            changed: Condvar::new(),
        })
    }

    fn topology(&self) -> sluice_topology {
        sluice_topology {
            local_replicas: self.replicas,
            world_replicas: self.replicas,
            ..Default::default()
        }
    }

    fn start(&self, own: Collective) -> Result<()> {
        if own.wire != own.dtype {
            fail!(SLUICE_UNSUPPORTED, "ranges are sent only in their own type");
        }
        if own.kind >= SLUICE_COLLECTIVE_REDUCE_SCATTER && own.count % u64::from(self.replicas) != 0
        {
            fail!(
                SLUICE_INVALID,
                "{} elements in {} slices",
                own.count,
                self.replicas
            );
        }
        let meeting = &mut *self.meeting();
        if meeting.reason.is_some() {
            return self.give_up(meeting, String::new());
        }
        let replica = own.replica as usize;
        let place = (meeting.started[replica] - meeting.taken) as usize;
        if place == meeting.rounds.len() {
            let mut round = Round::new();
            round.try_reserve_exact(self.replicas as usize)?;
            round.resize(self.replicas as usize, None);
            meeting.rounds.try_reserve(1)?;
            meeting.rounds.push_back(round);
        }
        let is_other = |it: &&Collective| {
            it.kind != own.kind
                || it.count != own.count
                || it.dtype != own.dtype
                || it.name() != own.name()
        };
        if let Some(other) = meeting.rounds[place].iter().flatten().find(is_other) {
            let (own_name, name) = (own.name(), other.name());
            let who = format!(
                "replica {} comes with '{}', replica {} with '{}'",
                replica, own_name, other.replica, name
            );
            return self.give_up(meeting, format!("out of step: {}", who));
        }
        meeting.rounds[place][replica] = Some(own);
        meeting.started[replica] += 1;
        self.changed.notify_all();
        Ok(())
    }

    fn finish(&self, replica: u32, seconds: f64) -> Result<()> {
        let end = Instant::now() + Duration::from_secs_f64(seconds.max(0.0));
        let mut meeting = self.meeting();
        while meeting.done < meeting.started[replica as usize] {
            let left = match seconds > 0.0 {
                true => end.saturating_duration_since(Instant::now()),
                false => Duration::from_secs(60),
            };
            if meeting.done == meeting.taken {
                if meeting.reason.is_some() {
                    break;
                }
                if meeting.rounds[0].iter().all(Option::is_some) {
                    meeting = self.exchange_first(meeting)?;
                    continue;
                }
                if left.is_zero() {
                    let reason = missing(&meeting.rounds[0], seconds);
                    return self.give_up(&mut meeting, reason);
                }
            } // else no replica returns: ranges are being written
            meeting = self
                .changed
                .wait_timeout(meeting, left.max(Duration::from_millis(1)))
                .unwrap_or_else(|poisoned| poisoned.into_inner())
                .0;
        }
        match meeting.reason {
            Some(_) => self.give_up(&mut meeting, String::new()),
            None => Ok(()),
        }
    }

    fn abort(&self, reason: &str) {
        let reason = if reason.is_empty() {
            "it was aborted"
        } else {
            reason
        };
        self.meeting()
            .reason
            .get_or_insert_with(|| reason.to_string());
        self.changed.notify_all();
    }
}

export! { "com.acme.strategy.example" => sluice::strategy::<ExampleStrategy> }
