//! A clock that jumps to the next timer when every task waits.

use std::collections::BTreeSet;
use std::future::Future;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use actions_engine::browser::{Clock, TestClock};
use futures_util::future::BoxFuture;

/// A clock that jumps to the next moment someone waits for as soon as nothing else can happen.
#[derive(Clone, Debug, Default)]
pub(crate) struct AutoClock {
    clock: TestClock,
    awaited: Arc<Mutex<BTreeSet<Instant>>>,
}

impl Clock for AutoClock {
    fn now(&self) -> Instant {
        self.clock.now()
    }

    fn unix_millis(&self) -> u64 {
        self.clock.unix_millis()
    }

    fn sleep_until(&self, moment: Instant) -> BoxFuture<'static, ()> {
        self.awaited.lock().unwrap().insert(moment);
        self.clock.sleep_until(moment)
    }
}

impl AutoClock {
    /// Lets time pass.
    pub(crate) fn pass(&self, time: Duration) {
        self.clock.advance(time);
    }

    /// Runs a future to its end on a runtime of one thread whose tasks wait for nothing but this clock.
    pub(crate) async fn run<T>(&self, future: impl Future<Output = T>) -> T {
        let idle = async {
            loop {
                // Whatever can go on goes on first: a task needs a few turns to hand something to another one.
                for _ in 0..64 {
                    tokio::task::yield_now().await;
                }
                let next = {
                    let mut awaited = self.awaited.lock().unwrap();
                    let now = self.clock.now();
                    awaited.retain(|moment| *moment > now);
                    awaited.pop_first()
                };
                let Some(next) = next else { panic!("everything waits, and nothing for the clock") };
                self.clock.advance(next - self.clock.now());
            }
        };
        tokio::select! {
            biased;
            result = future => result,
            () = idle => unreachable!("it waits for ever"),
        }
    }
}
