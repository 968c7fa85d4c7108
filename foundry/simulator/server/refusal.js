/** Refused by the server; the message is what the caller's promise is rejected with. */
export class ServerRefusal extends Error {}
