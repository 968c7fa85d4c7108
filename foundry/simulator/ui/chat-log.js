/** The chat log: every message that this user may see goes through the render hook of its generation. */
import { wrap } from "./wrapper.js";

/** Define `ui.chat` and what shows a message. */
export function buildChat(client) {
  const chat = { element: null, collection: null, scrollBottom: async () => {}, render: async () => {}, postOne: async (message) => show(message) };
  client.showMessage = show;

  function show(message) {
    if (!message.visible || typeof globalThis.document?.createElement !== "function") return;
    const element = globalThis.document.createElement("li");
    element.className = "chat-message message";
    element.dataset.messageId = message.id;
    const content = globalThis.document.createElement("div");
    content.className = "message-content";
    content.innerHTML = message.content;
    const sender = Object.assign(globalThis.document.createElement("h4"), { className: "message-sender", textContent: message.alias });
    element.append(sender, content);
    if (client.generation >= 13) client.Hooks.callAll("renderChatMessageHTML", message, element, { canDelete: message.isAuthor });
    if (client.generation < 13 || client.Hooks.events.renderChatMessage?.length) {
      if (client.generation >= 13) client.warnDeprecated("renderChatMessage", "use renderChatMessageHTML");
      client.Hooks.callAll("renderChatMessage", message, wrap(element), {});
    }
    chat.element?.append(element);
  }
  return chat;
}
