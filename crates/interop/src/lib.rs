//! Finds, reads, translates and obeys what sites publish for agents: AWAS, AWP, WAB, A2WF and WebMCP.
