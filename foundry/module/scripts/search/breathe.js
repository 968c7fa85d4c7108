/**
 * Let the page do what else it has to: draw, answer. Timers of a hidden page are late; messages are not.
 * @returns {Promise<void>}
 */
export function breathe() {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
