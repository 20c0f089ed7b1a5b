//! The clients of a bridge: those that are connected, and those that have a name and may come back.

use std::collections::HashMap;
use std::sync::Arc;

use crate::client::Client;
use crate::limits;

/// The clients of a bridge.
#[derive(Default)]
pub(crate) struct Clients {
    /// Clients with a name, connected or not, with the order in which they came.
    named: HashMap<String, (u64, Arc<Client>)>,
    arrivals: u64,
    /// Those that are connected.
    pub(crate) connected: Vec<Arc<Client>>,
}

impl Clients {
    /// The client of a name, or a new one.
    pub(crate) fn client(&mut self, name: Option<String>, hears_events: bool) -> Arc<Client> {
        let clients = self;
        clients.arrivals += 1;
        let arrival = clients.arrivals;
        let client = match &name {
            Some(name) => {
                let new = || (arrival, Client::new(Some(name.clone()), hears_events));
                let (last, client) = clients.named.entry(name.clone()).or_insert_with(new);
                *last = arrival;
                Arc::clone(client)
            }
            None => Client::new(None, hears_events),
        };
        while clients.named.len() > limits::NAMED_CLIENTS {
            let gone = clients.named.iter().filter(|(_, (_, client))| !client.is_connected());
            let gone =
                gone.filter(|(known, _)| name.as_ref() != Some(known)).min_by_key(|(_, (last, _))| *last);
            let Some(gone) = gone.map(|(known, _)| known.clone()) else { break };
            clients.named.remove(&gone);
        }
        if !clients.connected.iter().any(|known| Arc::ptr_eq(known, &client)) {
            clients.connected.push(Arc::clone(&client));
        }
        client
    }
}
