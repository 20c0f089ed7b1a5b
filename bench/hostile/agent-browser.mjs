export const name = 'agent-browser';
export async function start() { throw new Error('todo'); }
