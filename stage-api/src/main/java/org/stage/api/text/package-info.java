/**
 * The textual form of both graphs, with a printer for each: the format of golden tests, of the
 * testkit's corpus, and of what {@code stage inspect --print-graph} shows. What is printed, the
 * testkit reads back as an equal value; operators and tensors are read here, as module files have
 * them.
 *
 * <p>{@link org.stage.api.text.GraphText} is the form of the symbolic tensor graph:
 *
 * <pre>
 * module attention
 * axis batch, seq, norm_seq = seq, embed, heads, head_dim
 * input x[batch, norm_seq, embed]
 * parameter query.weight[embed, heads, head_dim]:weight
 * query: q[batch, seq, heads, head_dim] = einsum(x[batch, seq, embed], query.weight[embed, heads, head_dim])
 * output q
 * </pre>
 *
 * <p>{@link org.stage.api.text.ExecutionText} is the form of an execution graph and of a workload:
 *
 * <pre>
 * tensor x 8192xbyte
 * tensor y 2048xbyte
 * tensor z 8192xbyte
 * 0 compute mb0.query forward einsum shape=1x64x16x64 flops=131072 read=16384 written=2048 reads=x writes=y
 * 1 all-gather mb0.query.out forward 1024xbf16 over tp:4 deps=0 reads=y writes=z
 * 2 send mb0.out forward 4096xbf16 to pp:+1 tag=7 deps=1 ctrl=0 reads=z
 * </pre>
 */
@NullMarked
package org.stage.api.text;

import org.jspecify.annotations.NullMarked;
