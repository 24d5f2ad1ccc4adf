import AtriumProtocol
import Foundation

let encoder = JSONEncoder()
while let line = readLine() {
    let data = Data(line.utf8)
    if let result = try? JSONDecoder().decode(AgentResult.self, from: data),
        case .accepted(let accepted) = result
    {
        print(String(decoding: try encoder.encode(accepted), as: UTF8.self))
    } else {
        let frame = try JSONDecoder().decode(GatewayFrame.self, from: data)
        print(String(decoding: try encoder.encode(frame), as: UTF8.self))
    }
}
