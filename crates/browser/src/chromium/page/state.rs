//! What is known of a page: its frames, its documents, its dialog.

use std::collections::{HashMap, VecDeque};

use super::told::Told;
use super::wire::{FrameTree, WireFrame};
use crate::cdp::Session;
use crate::{AnsweredDialog, Dialog, DialogPolicy, Error, Frame, FrameId, LoadState, Refused};

/// How many loaders of a frame are remembered: as many navigations may overtake each other and still be told apart.
const LOADERS_KEPT: usize = 16;

/// What is known of a page at one moment of the wire.
pub(super) struct State {
    pub(super) main: FrameId,
    pub(super) frames: HashMap<FrameId, FrameState>,
    /// The dialog that waits for somebody to answer it.
    pub(super) dialog: Option<Dialog>,
    /// The whole text the last prompt suggested: what is told of it may be cut.
    pub(super) suggestion: Option<String>,
    pub(super) dialog_policy: DialogPolicy,
    /// The dialogs it has answered, until somebody asks.
    pub(super) answered_dialogs: Vec<AnsweredDialog>,
    /// The number of the last navigation that ended because the page was not left.
    pub(super) stayed: u64,
    pub(super) crashed: bool,
    /// The error every call gives once the page is closed or lost.
    pub(super) ended: Option<Error>,
    /// Whether the page has been prepared; until then nobody else sees it.
    pub(super) ready: bool,
    /// Why it could not be prepared; nobody ever sees it then.
    pub(super) unprepared: Option<Error>,
    /// Requests that were stopped and that nobody has asked about yet.
    pub(super) refused: Vec<Refused>,
    /// The last navigations that were stopped, by their loaders.
    pub(super) stopped: VecDeque<(String, Refused)>,
    /// What the main frame wants to go to, and why, until it has come there or nowhere.
    pub(super) wish: Option<Wish>,
    pub(super) told: Told,
    /// Addresses of pages it opened that were refused before they were there.
    pub(super) foreseen: Vec<String>,
    /// Counts everything that has an order: frames, documents, navigations.
    pub(super) sequence: u64,
}

/// What is known of a frame.
pub(super) struct FrameState {
    pub(super) parent: Option<FrameId>,
    pub(super) url: String,
    /// The session of the process it lives in; none while it moves from one to another.
    pub(super) home: Option<Session>,
    pub(super) loader: String,
    pub(super) reached: LoadState,
    /// The browser shows its own error page for this address.
    pub(super) unreachable: Option<String>,
    /// The number of its document.
    pub(super) document: u64,
    /// The loaders of its last documents, the newest last.
    pub(super) committed: VecDeque<String>,
    /// The loaders of navigations that are neither reloads nor moves in the history and have not come to a document.
    elsewhere: VecDeque<String>,
    /// The loader of the navigation that began last.
    pub(super) begun: Option<String>,
    /// The number of the last document that a reload or a move in the history brought.
    pub(super) revisited: u64,
    /// The number of its last navigation, and whether that kept the document.
    pub(super) navigation: u64,
    pub(super) same_document: bool,
    /// A navigation that has begun and not come to a document yet.
    pub(super) underway: Option<Underway>,
    /// The number and the loader of the last navigation that ended without a document.
    pub(super) aborted: Option<(u64, String)>,
    pub(super) world: World,
    /// Whether its process crashed; the next document brings it back.
    pub(super) crashed: bool,
    /// The order in which frames appeared.
    appeared: u64,
}

impl FrameState {
    /// A navigation to another document has begun.
    pub(super) fn begin(&mut self, underway: Underway, revisits: bool) {
        if !revisits {
            remember(&mut self.elsewhere, underway.loader.clone());
        }
        self.begun = Some(underway.loader.clone());
        self.underway = Some(underway);
    }
}

/// Keeps the last few loaders.
fn remember(loaders: &mut VecDeque<String>, loader: String) {
    if loaders.len() == LOADERS_KEPT {
        loaders.pop_front();
    }
    loaders.push_back(loader);
}

/// A place a frame wanted to go to, and why, in the browser's words.
#[derive(Clone, Debug)]
pub(super) struct Wish {
    pub(super) url: String,
    pub(super) reason: String,
}

/// A navigation that has begun.
#[derive(Clone, Debug)]
pub(super) struct Underway {
    pub(super) loader: String,
    pub(super) url: String,
}

/// The isolated world of a frame's document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum World {
    /// Nobody has asked for it yet, or the last try failed.
    Absent { tries: u32 },
    /// It has been asked for.
    Coming { tries: u32 },
    /// The page script, held as an object.
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
            wish: None,
            told: Told::default(),
            foreseen: Vec::new(),
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

    /// The frames, each after the frame it is part of.
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
                unreachable: None,
                document,
                committed: VecDeque::new(),
                elsewhere: VecDeque::new(),
                begun: None,
                revisited: 0,
                navigation: document,
                same_document: false,
                underway: None,
                aborted: None,
                world: World::Absent { tries: 0 },
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
            self.wish = None;
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
            // Another navigation may have begun while this document was already on its way.
            if frame.underway.as_ref().is_some_and(|underway| underway.loader == wire.loader_id) {
                frame.underway = None;
            }
            remember(&mut frame.committed, wire.loader_id);
            frame.reached = LoadState::Commit;
            frame.unreachable = wire.unreachable_url;
            frame.document = document;
            frame.navigation = document;
            frame.same_document = false;
            frame.world = World::Absent { tries: 0 };
            frame.crashed = false;
        }
        id
    }

    /// Takes over what a process knows of its frames. A frame may have come to its document before we listened to the
    /// process, and then no event tells of it; one whose document is still to come has no address there yet.
    pub(super) fn take_tree(&mut self, tree: FrameTree, home: &Session) {
        let FrameTree { frame: wire, child_frames } = tree;
        let is_news = match self.frames.get(&FrameId::new(wire.id.as_str())) {
            None => true,
            Some(known) => !wire.url.is_empty() && known.loader != wire.loader_id,
        };
        if is_news {
            self.commit(wire, home);
        }
        for child in child_frames {
            self.take_tree(child, home);
        }
    }

    /// Removes a frame with everything in it; gives the ids of what is gone.
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

    /// The process of some frames crashed: they stay, empty, until they show another document. Gives the frames, and
    /// those that were in them and are gone.
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

    /// The processes that show frames of the page.
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

    /// A process is gone: the frames that lived there have no home until they appear elsewhere.
    pub(super) fn evict(&mut self, session: &Session) {
        for frame in self.frames.values_mut() {
            if frame.home.as_ref().is_some_and(|home| home.is_same(session)) {
                frame.home = None;
                frame.world = World::Absent { tries: 0 };
            }
        }
    }
}
