//! The state of a page as the protocol events describe it: frames, documents, dialog.

use std::collections::{HashMap, VecDeque};

use super::catch_up::Progress;
use super::reports::Reports;
use super::wire::{FrameTree, WireFrame};
use crate::cdp::Session;
use crate::{AnsweredDialog, Dialog, DialogPolicy, Error, Frame, FrameId, LoadState, Refused};

/// How many loaders of a frame are remembered: the number of overlapping navigations that can be distinguished.
const LOADERS_KEPT: usize = 16;

/// The state of a page after the last event that arrived.
pub(super) struct State {
    pub(super) main: FrameId,
    pub(super) frames: HashMap<FrameId, FrameState>,
    /// The open dialog.
    pub(super) dialog: Option<Dialog>,
    /// The full default text of the last prompt; `dialog` may hold a cut version.
    pub(super) suggestion: Option<String>,
    pub(super) dialog_policy: DialogPolicy,
    /// The dialogs that the policy has answered, until a caller takes them.
    pub(super) answered_dialogs: Vec<AnsweredDialog>,
    /// The number of the last navigation that a dismissed `beforeunload` dialog ended.
    pub(super) stayed: u64,
    pub(super) crashed: bool,
    /// The error of every call once the page is closed or lost.
    pub(super) ended: Option<Error>,
    /// Whether the page is prepared. Until then callers do not see it.
    pub(super) ready: bool,
    /// Why the page could not be prepared. Callers never see such a page.
    pub(super) unprepared: Option<Error>,
    /// Requests that were stopped, until a caller takes them.
    pub(super) refused: Vec<Refused>,
    /// The last navigations that were stopped, by loader.
    pub(super) stopped: VecDeque<(String, Refused)>,
    /// The last refused navigation of the main frame, and the number of the moment.
    pub(super) turned_back: Option<(u64, Refused)>,
    /// The navigation that the main frame has requested, until it commits or ends.
    pub(super) requested: Option<RequestedNavigation>,
    /// Whether the effects of input are known.
    pub(super) progress: Progress,
    pub(super) reports: Reports,
    /// Addresses of popups that were refused when `window.open` was called, before the popup existed.
    pub(super) refused_popups: Vec<String>,
    /// Numbers frames, documents and navigations in one order.
    pub(super) sequence: u64,
}

/// The state of a frame.
pub(super) struct FrameState {
    pub(super) parent: Option<FrameId>,
    pub(super) url: String,
    /// The session of the process it lives in; `None` while it moves to another process.
    pub(super) home: Option<Session>,
    pub(super) loader: String,
    pub(super) reached: LoadState,
    /// Whether its document has been painted.
    pub(super) painted: bool,
    /// The address for which the browser shows its error page.
    pub(super) unreachable: Option<String>,
    /// The number of its current document.
    pub(super) document: u64,
    /// The loaders of its last documents, newest last.
    pub(super) committed: VecDeque<String>,
    /// The loaders of pending navigations that are neither reloads nor history navigations.
    elsewhere: VecDeque<String>,
    /// The loader of the navigation that started last.
    pub(super) begun: Option<String>,
    /// The number of the last document that a reload or a history navigation brought.
    pub(super) revisited: u64,
    /// The number of its last navigation, and whether that was a same-document navigation.
    pub(super) navigation: u64,
    pub(super) same_document: bool,
    /// Whether a frame other than the main frame has requested a navigation that has neither committed nor ended.
    pub(super) requested: bool,
    /// A navigation that has started and has no document yet.
    pub(super) underway: Option<Underway>,
    /// The number and the loader of the last navigation that ended without a document.
    pub(super) aborted: Option<(u64, String)>,
    pub(super) world: World,
    pub(super) status: Status,
    /// Whether its process crashed. The next document clears it.
    pub(super) crashed: bool,
    /// The order in which frames appeared.
    appeared: u64,
}

impl FrameState {
    /// A navigation to another document has started.
    pub(super) fn begin(&mut self, underway: Underway, revisits: bool) {
        self.requested = false;
        if !revisits {
            remember(&mut self.elsewhere, underway.loader.clone());
        }
        self.begun = Some(underway.loader.clone());
        self.underway = Some(underway);
    }
}

/// Appends a loader and drops the oldest beyond the limit.
fn remember(loaders: &mut VecDeque<String>, loader: String) {
    if loaders.len() == LOADERS_KEPT {
        loaders.pop_front();
    }
    loaders.push_back(loader);
}

/// A navigation that a frame has requested, with the browser's reason for it.
#[derive(Clone, Debug)]
pub(super) struct RequestedNavigation {
    pub(super) url: String,
    pub(super) reason: String,
    /// The loader of the navigation that was underway and that this one replaces.
    pub(super) replaces: Option<String>,
}

/// A navigation that has started.
#[derive(Clone, Debug)]
pub(super) struct Underway {
    pub(super) loader: String,
    pub(super) url: String,
}

/// The HTTP status of the response that a document came with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    /// The page script of the document has not said yet.
    Pending,
    /// The status; none for a document without a response, such as `about:blank`.
    Known(Option<u16>),
}

/// The isolated world of a frame's document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum World {
    /// It was not requested yet, or the last try failed.
    Absent { tries: u32 },
    /// It was requested.
    Coming { tries: u32 },
    /// It exists; `script` is the page script as an object id.
    Ready { script: String },
}

impl State {
    pub(super) fn new(main: FrameId) -> Self {
        Self {
            main,
            frames: HashMap::new(),
            dialog: None,
            suggestion: None,
            dialog_policy: DialogPolicy::default(),
            answered_dialogs: Vec::new(),
            stayed: 0,
            crashed: false,
            ended: None,
            ready: false,
            unprepared: None,
            refused: Vec::new(),
            stopped: VecDeque::new(),
            turned_back: None,
            requested: None,
            progress: Progress::default(),
            reports: Reports::default(),
            refused_popups: Vec::new(),
            sequence: 0,
        }
    }

    pub(super) fn next(&mut self) -> u64 {
        self.sequence += 1;
        self.sequence
    }

    pub(super) fn frame(&self, id: &FrameId) -> Option<&FrameState> {
        self.frames.get(id)
    }

    pub(super) fn frame_mut(&mut self, id: &str) -> Option<&mut FrameState> {
        self.frames.get_mut(&FrameId::new(id))
    }

    /// The frames, each after its parent.
    pub(super) fn list(&self) -> Vec<Frame> {
        let mut all: Vec<(&FrameId, &FrameState)> = self.frames.iter().collect();
        all.sort_by_key(|(_, frame)| frame.appeared);
        all.into_iter()
            .map(|(id, frame)| Frame { id: id.clone(), parent: frame.parent.clone(), url: frame.url.clone() })
            .collect()
    }

    /// A frame appeared, or came back from another process.
    pub(super) fn attach(&mut self, id: &str, parent: Option<&str>, home: &Session) {
        let id = FrameId::new(id);
        if let Some(frame) = self.frames.get_mut(&id) {
            if frame.home.is_none() {
                frame.home = Some(home.clone());
            }
            return;
        }
        let appeared = self.next();
        let document = self.next();
        self.frames.insert(
            id,
            FrameState {
                parent: parent.map(FrameId::new),
                url: "about:blank".to_owned(),
                home: Some(home.clone()),
                loader: String::new(),
                reached: LoadState::Commit,
                painted: false,
                unreachable: None,
                document,
                committed: VecDeque::new(),
                elsewhere: VecDeque::new(),
                begun: None,
                revisited: 0,
                navigation: document,
                same_document: false,
                requested: false,
                underway: None,
                aborted: None,
                world: World::Absent { tries: 0 },
                status: Status::Known(None),
                crashed: false,
                appeared,
            },
        );
    }

    /// A frame shows a new document, in the process of this session.
    pub(super) fn commit(&mut self, wire: WireFrame, home: &Session) -> FrameId {
        let id = FrameId::new(wire.id.as_str());
        self.attach(&wire.id, wire.parent_id.as_deref(), home);
        self.remove_below(&id);
        if id == self.main {
            self.requested = None;
        }
        let document = self.next();
        if let Some(frame) = self.frames.get_mut(&id) {
            frame.home = Some(home.clone());
            frame.url = wire.url + wire.url_fragment.as_deref().unwrap_or_default();
            frame.loader.clone_from(&wire.loader_id);
            match frame.elsewhere.iter().position(|loader| *loader == wire.loader_id) {
                Some(at) => drop(frame.elsewhere.remove(at)),
                None => frame.revisited = document,
            }
            // Another navigation may have started before this document committed.
            if frame.underway.as_ref().is_some_and(|underway| underway.loader == wire.loader_id) {
                frame.underway = None;
            }
            remember(&mut frame.committed, wire.loader_id);
            frame.reached = LoadState::Commit;
            frame.painted = false;
            frame.unreachable = wire.unreachable_url;
            frame.document = document;
            frame.navigation = document;
            frame.same_document = false;
            frame.requested = false;
            frame.world = World::Absent { tries: 0 };
            frame.status = Status::Pending;
            frame.crashed = false;
        }
        id
    }

    /// Merges the frame tree of a process. A frame may have committed its document before we subscribed to the process, so
    /// that no event reports it. A frame whose document is still pending has no address in the tree.
    pub(super) fn take_tree(&mut self, tree: FrameTree, home: &Session) {
        let FrameTree { frame: wire, child_frames } = tree;
        let is_new = match self.frames.get(&FrameId::new(wire.id.as_str())) {
            None => true,
            Some(known) => !wire.url.is_empty() && known.loader != wire.loader_id,
        };
        if is_new {
            self.commit(wire, home);
        }
        for child in child_frames {
            self.take_tree(child, home);
        }
    }

    /// Removes a frame and its descendants, and returns their ids.
    pub(super) fn remove(&mut self, id: &FrameId) -> Vec<FrameId> {
        let mut gone = self.remove_below(id);
        if self.frames.remove(id).is_some() {
            gone.push(id.clone());
        }
        gone
    }

    fn remove_below(&mut self, id: &FrameId) -> Vec<FrameId> {
        let mut gone: Vec<FrameId> = Vec::new();
        let mut parents = vec![id.clone()];
        while let Some(parent) = parents.pop() {
            let children: Vec<FrameId> = self
                .frames
                .iter()
                .filter(|(_, frame)| frame.parent.as_ref() == Some(&parent))
                .map(|(child, _)| child.clone())
                .collect();
            for child in children {
                self.frames.remove(&child);
                parents.push(child.clone());
                gone.push(child);
            }
        }
        gone
    }

    /// Marks the frames of a crashed process. They stay, empty, until they show another document. Returns these frames, and
    /// their former descendants, which are removed.
    pub(super) fn crash(&mut self, session: &Session) -> (Vec<FrameId>, Vec<FrameId>) {
        let lives_there = |frame: &FrameState| frame.home.as_ref().is_some_and(|home| home.is_same(session));
        let there: Vec<FrameId> =
            self.frames.iter().filter(|(_, frame)| lives_there(frame)).map(|(id, _)| id.clone()).collect();
        let gone: Vec<FrameId> = there.iter().flat_map(|id| self.remove_below(id)).collect();
        let crashed: Vec<FrameId> = there.into_iter().filter(|id| self.frames.contains_key(id)).collect();
        for id in &crashed {
            if let Some(frame) = self.frames.get_mut(id) {
                frame.crashed = true;
                frame.world = World::Absent { tries: 0 };
            }
        }
        (crashed, gone)
    }

    /// The sessions of all processes that show frames of the page.
    pub(super) fn homes(&self) -> Vec<Session> {
        let mut homes: Vec<Session> = Vec::new();
        for home in
            self.frames.values().filter(|frame| !frame.crashed).filter_map(|frame| frame.home.as_ref())
        {
            if !homes.iter().any(|known| known.is_same(home)) {
                homes.push(home.clone());
            }
        }
        homes
    }

    /// A process is gone: its frames have no session until they appear in another process.
    pub(super) fn evict(&mut self, session: &Session) {
        for frame in self.frames.values_mut() {
            if frame.home.as_ref().is_some_and(|home| home.is_same(session)) {
                frame.home = None;
                frame.world = World::Absent { tries: 0 };
            }
        }
    }
}
