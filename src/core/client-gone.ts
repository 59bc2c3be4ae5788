/** The client disconnected before the response. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}
