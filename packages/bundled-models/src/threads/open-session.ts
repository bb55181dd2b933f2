import { InferenceSession } from 'onnxruntime-node'
import { readWeight } from '../weights/weight-files.ts'

/** Opens an ONNX graph of the weights folder on one core: several passages at once use several. @throws PortError corrupt */
export function openSession(folder: string, name: string): Promise<InferenceSession> {
  return InferenceSession.create(readWeight(folder, name), {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    // Every text has its own length; a memory pattern per length would be kept for ever.
    enableMemPattern: false
  })
}
