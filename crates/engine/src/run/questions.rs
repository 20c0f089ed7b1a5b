//! Extends the deadline of a call by the time a person takes to answer.

use std::time::{Duration, Instant};

use actions_browser::{Clock, Deadline};
use tokio::sync::watch;

/// The questions a call asks a person while it runs. The time of the answers does not count against the call.
#[derive(Debug, Default)]
pub(crate) struct Questions {
    answers: watch::Sender<Answers>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Answers {
    /// How long all answers together have taken.
    took: Duration,
    /// When the open question was asked.
    asked: Option<Instant>,
}

impl Questions {
    /// Waits for the answer to a question, and does not count the time.
    pub(super) async fn ask<T>(&self, clock: &dyn Clock, answer: impl Future<Output = T>) -> T {
        self.answers.send_modify(|answers| answers.asked = Some(clock.now()));
        let answer = answer.await;
        let now = clock.now();
        self.answers.send_modify(|answers| {
            let asked = answers.asked.take();
            answers.took += asked.map_or(Duration::ZERO, |asked| now.saturating_duration_since(asked));
        });
        answer
    }

    fn took(&self) -> Duration {
        self.answers.borrow().took
    }
}

/// The time a call has: until its deadline, and as much longer as questions have taken since it was set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allowance<'r> {
    deadline: Deadline,
    taken_before: Duration,
    questions: &'r Questions,
}

impl<'r> Allowance<'r> {
    pub(super) fn until(deadline: Deadline, questions: &'r Questions) -> Self {
        Self { deadline, taken_before: questions.took(), questions }
    }

    /// The deadline, extended by the questions that were answered.
    pub(crate) fn deadline(self) -> Deadline {
        self.deadline.later_by(self.questions.took().saturating_sub(self.taken_before))
    }

    /// Waits until the deadline and a grace period have passed. They never pass while a question is open.
    pub(super) async fn over(self, clock: &dyn Clock, grace: Duration) {
        let mut answers = self.questions.answers.subscribe();
        // This loop ends: the number of questions is bounded, and each extends the deadline only by its own time.
        loop {
            let end = self.deadline().at() + grace;
            clock.sleep_until(end).await;
            // The sender lives as long as the call.
            let _ = answers.wait_for(|answers| answers.asked.is_none()).await;
            if self.deadline().at() + grace <= end {
                return;
            }
        }
    }
}
