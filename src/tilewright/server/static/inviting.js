/** The address that a table is sent to friends by. */

const THIS_COMPUTER = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/;

/** A page of this server as others find it. here: the address of this page; network: where others reach the server, if
 * it knows. The page may have been opened by an address that means "this computer" on every computer: then it is of use
 * to others only with the address of the network, and "local" says that there is none. */
export function inviting(path, here, network) {
  const address = new URL(path, here);
  if (!THIS_COMPUTER.test(address.hostname)) return { address: address.href, local: false };
  return network ? { address: new URL(path, network).href, local: false } : { address: address.href, local: true };
}
