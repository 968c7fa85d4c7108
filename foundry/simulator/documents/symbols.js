/** Private ways into documents, for the simulator alone. */

/** The mutable source of a document. */
export const SOURCE = Symbol("source");

/** In a constructor's context: the data is a complete source, to be held as it is. */
export const TRUSTED = Symbol("trusted");
