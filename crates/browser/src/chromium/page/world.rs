//! The isolated world of a document, and the page script in it.
//!
//! The number of a world is unique only within a process, and a page may move to another process while a command is in
//! flight. So a call never addresses a world by number: it addresses the page script as an object, whose id is valid in
//! one process only. The number is used once, to get that object, and the object is kept only if the document is still
//! the same.

use chromiumoxide_cdp::cdp::browser_protocol::page::CreateIsolatedWorldParams;

use super::ChromiumPage;
use super::prepare::WORLD;
use super::runtime::{CallFunctionOn, Evaluate, Outcome};
use super::state::{Status, World};
use crate::cdp::Session;
use crate::{Deadline, Error, FrameId, script};

/// Returns the page script of the world it is called in.
const PAGE_SCRIPT: &str = include_str!("js/page_script.js");
/// Returns the HTTP status that the document came with.
const RESPONSE_STATUS: &str = include_str!("js/response_status.js");
/// How often a world is requested for one document before the request is an error.
const TRIES: u32 = 3;

/// The page script of one document of a frame.
pub(super) struct Script {
    pub(super) frame: FrameId,
    pub(super) session: Session,
    pub(super) object: String,
    pub(super) document: u64,
}

/// A document of a frame whose world was requested.
#[derive(Clone)]
struct Place {
    frame: FrameId,
    session: Session,
    document: u64,
}

impl ChromiumPage {
    /// The page script of a frame's current document. Requests its world if necessary.
    pub(super) async fn script(&self, frame: &FrameId, deadline: Deadline) -> Result<Script, Error> {
        loop {
            enum Found {
                Script(Script),
                Absent,
            }
            let found = self
                .until(
                    deadline,
                    |_| (format!("the page script in frame {frame}"), None),
                    |state| {
                        if state.crashed {
                            return Some(Err(Error::PageCrashed));
                        }
                        let Some(known) = state.frame(frame) else {
                            return Some(Err(Error::FrameDetached { frame: frame.clone() }));
                        };
                        if known.crashed {
                            return Some(Err(Error::FrameCrashed { frame: frame.clone() }));
                        }
                        match (&known.home, &known.world) {
                            (Some(session), World::Ready { script }) => Some(Ok(Found::Script(Script {
                                frame: frame.clone(),
                                session: session.clone(),
                                object: script.clone(),
                                document: known.document,
                            }))),
                            (Some(_), World::Absent { tries }) if *tries >= TRIES => {
                                Some(Err(Error::ScriptFailed {
                                    function: "the page script".to_owned(),
                                    message: "it could not be installed".to_owned(),
                                }))
                            }
                            (Some(_), World::Absent { .. }) => Some(Ok(Found::Absent)),
                            (Some(_), World::Coming { .. }) | (None, _) => None,
                        }
                    },
                )
                .await?;
            match found {
                Found::Script(script) => return Ok(script),
                Found::Absent => self.request_world(frame),
            }
        }
    }

    /// Requests the world of a frame's document and does not wait for it.
    pub(super) fn request_world(&self, frame: &FrameId) {
        let place = self.update(|state| {
            let known = state.frames.get_mut(frame)?;
            let (Some(session), World::Absent { tries }) = (&known.home, &known.world) else { return None };
            let place = Place { frame: frame.clone(), session: session.clone(), document: known.document };
            known.world = World::Coming { tries: tries + 1 };
            Some(place)
        });
        let Some(place) = place else { return };
        let command = CreateIsolatedWorldParams {
            world_name: Some(WORLD.to_owned()),
            ..CreateIsolatedWorldParams::new(place.frame.as_str().to_owned())
        };
        let this = self.this.clone();
        let session = place.session.clone();
        session.send_then(command, move |answer| {
            let Some(page) = this.upgrade() else { return };
            match answer {
                Ok(world) if page.is_current(&place) => {
                    page.take_script(place, *world.execution_context_id.inner());
                }
                Ok(_) => {}
                Err(error) => page.world_failed(&place, &error),
            }
        });
    }

    fn take_script(&self, place: Place, world: i64) {
        self.read_status(place.clone(), world);
        let command = CallFunctionOn {
            function_declaration: PAGE_SCRIPT,
            execution_context_id: Some(world),
            silent: true,
            ..CallFunctionOn::default()
        };
        let this = self.this.clone();
        let session = place.session.clone();
        session.send_then(command, move |outcome| {
            let Some(page) = this.upgrade() else { return };
            match object_in(outcome) {
                Ok(Some(script)) => page.world_ready(&place, script),
                Ok(None) if page.is_current(&place) => page.install_script(place, world),
                Ok(None) => {}
                Err(error) => page.world_failed(&place, &error),
            }
        });
    }

    /// Reads the HTTP status of a document. The command is sent together with the one for the script, so it costs no round trip.
    fn read_status(&self, place: Place, world: i64) {
        let command = CallFunctionOn {
            function_declaration: RESPONSE_STATUS,
            execution_context_id: Some(world),
            return_by_value: true,
            silent: true,
            ..CallFunctionOn::default()
        };
        let this = self.this.clone();
        let session = place.session.clone();
        session.send_then(command, move |outcome| {
            let Some(page) = this.upgrade() else { return };
            let status = outcome.and_then(|outcome| outcome.value("the response status"));
            let status = status.ok().and_then(|status| u16::try_from(status.as_u64()?).ok());
            page.update(|state| {
                if let Some(frame) = state.frames.get_mut(&place.frame)
                    && frame.document == place.document
                {
                    frame.status = Status::Known(status.filter(|status| *status != 0));
                }
            });
        });
    }

    /// Installs the script in a world without one: its document existed before we attached.
    fn install_script(&self, place: Place, world: i64) {
        let command = Evaluate {
            expression: script::SOURCE,
            context_id: Some(world),
            silent: true,
            ..Evaluate::default()
        };
        let this = self.this.clone();
        let session = place.session.clone();
        session.send_then(command, move |outcome| {
            let Some(page) = this.upgrade() else { return };
            match object_in(outcome) {
                Ok(Some(script)) => page.world_ready(&place, script),
                Ok(None) => page.set_world(&place, |tries| World::Absent { tries }),
                Err(error) => page.world_failed(&place, &error),
            }
        });
    }

    fn is_current(&self, place: &Place) -> bool {
        self.state().frame(&place.frame).is_some_and(|frame| frame.document == place.document)
    }

    fn world_ready(&self, place: &Place, script: String) {
        self.set_world(place, |_| World::Ready { script });
    }

    fn world_failed(&self, place: &Place, error: &Error) {
        tracing::debug!("no world in frame {}: {error}", place.frame);
        self.update(|state| {
            if let Some(frame) = state.frames.get_mut(&place.frame)
                && frame.document == place.document
            {
                frame.status = Status::Known(None);
            }
        });
        self.set_world(place, |tries| World::Absent { tries });
    }

    fn set_world(&self, place: &Place, world: impl FnOnce(u32) -> World) {
        self.update(|state| {
            if let Some(frame) = state.frames.get_mut(&place.frame)
                && frame.document == place.document
                && let World::Coming { tries } = frame.world
            {
                frame.world = world(tries);
            }
        });
    }

    /// Forgets a world whose script no longer exists.
    pub(super) fn forget_world(&self, frame: &FrameId, script: &Script) {
        self.update(|state| {
            if let Some(known) = state.frames.get_mut(frame)
                && known.document == script.document
                && known.world == (World::Ready { script: script.object.clone() })
            {
                known.world = World::Absent { tries: 0 };
            }
        });
    }
}

fn object_in(outcome: Result<Outcome, Error>) -> Result<Option<String>, Error> {
    outcome?.object("the page script")
}
