/** Whether content of that type can be shown to an agent as it is. */
const TEXT = /^(?:text\/|application\/(?:json|xml|javascript))/;

export function isText(mediaType: string): boolean {
  return TEXT.test(mediaType);
}
