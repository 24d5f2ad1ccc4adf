/** Repositories, by the ids people give them. */
import { Type } from "@atrium/schema";

/** Which ids there can be; whether there is one, the server knows. */
export const RepositoryId = Type.String({ minLength: 1, maxLength: 128 });
