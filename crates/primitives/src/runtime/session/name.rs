//! `runtime.session.name`: gives the session a name for people.

use serde::{Deserialize, Serialize};

use crate::Failure;
use crate::scene::Scene;

#[derive(Deserialize, Serialize)]
pub(crate) struct Named {
    name: String,
}

pub(crate) async fn perform(scene: Scene<'_>, named: Named) -> Result<Named, Failure> {
    scene.stage.memory().title.set(named.name.clone());
    Ok(named)
}
