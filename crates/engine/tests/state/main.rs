//! State projections on a real browser.

mod budgets;
mod diffs;
mod extraction;
mod frames;
mod hostile;
mod markers;
mod moment;
mod postconditions;
mod readiness;
mod site;
mod sites;
mod stage;
mod steps;
mod without_browser;
