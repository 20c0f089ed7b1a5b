//! The queue of tasks in which an agent keeps its plan. It does nothing by itself.

use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};

/// The most tasks of a queue, finished ones included.
const MAX_TASKS: usize = 1000;

/// A task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Task {
    /// Its id, such as `task-1`.
    pub(crate) id: String,
    /// What is to be done.
    pub(crate) text: String,
    /// How far it is.
    pub(crate) status: TaskStatus,
    /// A note on the outcome.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) result: Option<String>,
}

/// How far a task is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum TaskStatus {
    /// It has not begun.
    Pending,
    /// It was taken from the queue.
    InProgress,
    /// It succeeded.
    Done,
    /// It failed.
    Failed,
}

/// A queue of tasks.
#[derive(Debug, Default)]
pub struct Tasks {
    queue: Mutex<Vec<Task>>,
}

/// Every task and how many there are of each kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct TaskList {
    pub(crate) total: usize,
    completed: usize,
    failed: usize,
    /// Neither done nor failed.
    pub(crate) pending: usize,
    tasks: Vec<Task>,
}

impl Task {
    fn is_unfinished(&self) -> bool {
        matches!(self.status, TaskStatus::Pending | TaskStatus::InProgress)
    }
}

impl Tasks {
    fn queue(&self) -> MutexGuard<'_, Vec<Task>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds tasks to the end; `None` if the queue has no room for all of them.
    pub(crate) fn add(&self, texts: Vec<String>) -> Option<Vec<Task>> {
        let mut queue = self.queue();
        if queue.len() + texts.len() > MAX_TASKS {
            return None;
        }
        let first = queue.len();
        for text in texts {
            let id = format!("task-{}", queue.len() + 1);
            queue.push(Task { id, text, status: TaskStatus::Pending, result: None });
        }
        Some(queue[first..].to_vec())
    }

    /// Forgets every task and returns how many there were.
    pub(crate) fn clear(&self) -> usize {
        std::mem::take(&mut *self.queue()).len()
    }

    /// Takes the first unfinished task.
    pub(crate) fn next(&self) -> Option<Task> {
        let mut queue = self.queue();
        let next = queue.iter_mut().find(|task| task.is_unfinished())?;
        next.status = TaskStatus::InProgress;
        Some(next.clone())
    }

    /// Finishes the task with an id, or the one in progress; `None` if there is no such task.
    pub(crate) fn complete(
        &self,
        id: Option<&str>,
        status: TaskStatus,
        result: Option<String>,
    ) -> Option<Task> {
        let mut queue = self.queue();
        let task = queue.iter_mut().find(|task| match id {
            Some(id) => task.id == id,
            None => task.status == TaskStatus::InProgress,
        })?;
        (task.status, task.result) = (status, result);
        Some(task.clone())
    }

    /// Every task and how many there are of each kind.
    pub(crate) fn list(&self) -> TaskList {
        let tasks = self.queue().clone();
        let count = |status| tasks.iter().filter(|task| task.status == status).count();
        TaskList {
            total: tasks.len(),
            completed: count(TaskStatus::Done),
            failed: count(TaskStatus::Failed),
            pending: tasks.iter().filter(|task| task.is_unfinished()).count(),
            tasks,
        }
    }
}
